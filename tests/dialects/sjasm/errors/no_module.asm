 endmodule
